#include "api/protobuf/decode_protobuf.h"

#include <gtest/gtest.h>

#include "api/protobuf/encode_for_test.h"
#include "api/schema/conform.h"

namespace plimsoll::api {
namespace {

const TypeDesc& TypeOf(std::string_view name) { return *FindType(name); }
const TypeDesc& PodType() { return TypeOf("io.k8s.api.core.v1.Pod"); }

/// Decodes a body as the type that its envelope names.
Result<std::string> Decode(std::string_view body, const codec::ParseLimits& limits = {}) {
  const ProtobufEnvelope envelope = PL_TRY(ReadProtobufEnvelope(body));
  const std::size_t slash = envelope.api_version.find('/');
  const bool is_core = slash == std::string_view::npos;
  const KindDesc* kind =
      FindKind(is_core ? "" : envelope.api_version.substr(0, slash),
               envelope.api_version.substr(is_core ? 0 : slash + 1), envelope.kind);
  const auto document = PL_TRY(DecodeProtobuf(envelope, *kind->type, limits));
  return codec::WriteJson(document->root());
}

std::string FromHex(std::string_view hex) {
  std::string bytes;
  for (std::size_t at = 0; at < hex.size(); at += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(at, 2)), nullptr, 16));
  }
  return bytes;
}

struct CapturedCase {
  std::string name;
  std::string hex;
  std::string json;
};

class CapturedProtobufTest : public testing::TestWithParam<CapturedCase> {};

TEST_P(CapturedProtobufTest, IsTheTreeOfItsJson) {
  const auto got = Decode(FromHex(GetParam().hex));
  ASSERT_TRUE(got.has_value()) << got.error().message;
  EXPECT_EQ(*got, GetParam().json);
}

// Requests of kubectl 1.33 that create these objects.
INSTANTIATE_TEST_SUITE_P(
    All, CapturedProtobufTest,
    testing::ValuesIn<CapturedCase>({
        {"Namespace",
         "6b3873000a0f0a02763112094e616d657370616365121e0a160a067465616d2d6112001a0022002a0032"
         "003800420012001a020a001a002200",
         R"({"kind":"Namespace","apiVersion":"v1","metadata":{"name":"team-a"},"spec":{},"status":{}})"},
        {"Deployment",
         "6b3873000a150a07617070732f7631120a4465706c6f796d656e7412bd010a1f0a0377656212001a0022"
         "002a003200380042005a0a0a036170701203776562128b010800120c0a0a0a0361707012037765621a71"
         "0a1c0a0012001a0022002a003200380042005a0a0a036170701203776562125112330a056e67696e7812"
         "0a6e67696e783a312e32372a00320a0a001000185022002a0042006a007200800100880100900100a201"
         "001a00320042004a0052005800600068008201008a01009a0100c2010022020a00280038001a0c080010"
         "0018002000280038001a002200",
         R"({"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"web","labels":{"app":"web"}},)"
         R"("spec":{"replicas":0,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":)"
         R"({"app":"web"}},"spec":{"containers":[{"name":"nginx","image":"nginx:1.27","ports":)"
         R"([{"containerPort":80}],"resources":{}}]}},"strategy":{}},"status":{}})"},
        {"Job",
         "6b3873000a0f0a0862617463682f763112034a6f621282010a110a016a12001a0022002a003200380042"
         "00126332610a100a0012001a0022002a00320038004200124d122a0a016a120762757379626f781a0573"
         "6c6565701a01312a0042006a007200800100880100900100a201001a054e65766572320042004a005200"
         "5800600068008201008a01009a0100c201001a082000280030003a001a002200",
         R"({"kind":"Job","apiVersion":"batch/v1","metadata":{"name":"j"},"spec":{"template":{"metadata":{},"spec":)"
         R"({"containers":[{"name":"j","image":"busybox","command":["sleep","1"],"resources":{}}],)"
         R"("restartPolicy":"Never"}}},"status":{}})"},
        {"PodDisruptionBudget",
         "6b3873000a200a09706f6c6963792f76311213506f6444697372757074696f6e427564676574123a0a11"
         "0a017012001a0022002a0032003800420012190a09080110001a03353025120c0a0a0a03617070120377"
         "65621a0a080018002000280030001a002200",
         R"({"kind":"PodDisruptionBudget","apiVersion":"policy/v1","metadata":{"name":"p"},"spec":)"
         R"({"minAvailable":"50%","selector":{"matchLabels":{"app":"web"}}},"status":)"
         R"({"disruptionsAllowed":0,"currentHealthy":0,"desiredHealthy":0,"expectedPods":0}})"},
        {"Service",
         "6b3873000a0d0a02763112075365727669636512690a1f0a0373766312001a0022002a00320038004200"
         "5a0a0a03617070120373766312420a1b0a0738302d38303830120354435018502207080010903f1a0028"
         "00120a0a0361707012037376631a002209436c757374657249503a00420052005a00600068001a020a00"
         "1a002200",
         R"({"kind":"Service","apiVersion":"v1","metadata":{"name":"svc","labels":{"app":"svc"}},"spec":)"
         R"({"ports":[{"name":"80-8080","protocol":"TCP","port":80,"targetPort":8080}],"selector":)"
         R"({"app":"svc"},"type":"ClusterIP"},"status":{"loadBalancer":{}}})"},
        {"Secret",
         "6b3873000a0c0a0276311206536563726574121e0a110a017312001a0022002a0032003800420012070a"
         "0270771201781a001a002200",
         R"({"kind":"Secret","apiVersion":"v1","metadata":{"name":"s"},"data":{"pw":"eA=="}})"},
        {"TokenRequest",
         "6b3873000a280a1861757468656e7469636174696f6e2e6b38732e696f2f7631120c546f6b656e526571"
         "75657374121d0a100a0012001a0022002a00320038004200120320901c1a040a0012001a002200",
         R"({"kind":"TokenRequest","apiVersion":"authentication.k8s.io/v1","metadata":{},"spec":)"
         R"({"expirationSeconds":3600},"status":{"token":""}})"},
        {"SelfSubjectAccessReview",
         "6b3873000a320a17617574686f72697a6174696f6e2e6b38732e696f2f7631121753656c665375626a65"
         "6374416363657373526576696577123f0a100a0012001a0022002a0032003800420012210a1f0a076465"
         "6661756c7412066372656174651a0022002a04706f647332003a001a08080012001a0020001a002200",
         R"({"kind":"SelfSubjectAccessReview","apiVersion":"authorization.k8s.io/v1","metadata":{},"spec":)"
         R"({"resourceAttributes":{"namespace":"default","verb":"create","resource":"pods"}},"status":)"
         R"({"allowed":false}})"},
    }),
    [](const auto& test) { return test.param.name; });

struct RoundTripCase {
  std::string name;
  std::string json;
};

class ProtobufRoundTripTest : public testing::TestWithParam<RoundTripCase> {};

TEST_P(ProtobufRoundTripTest, ComesBack) {
  auto sent = codec::ParseJson(GetParam().json);
  ASSERT_TRUE(sent.has_value()) << sent.error().message;
  const codec::Value& tree = (*sent)->root();
  const std::string_view version = tree.Find("apiVersion")->text();
  const std::string_view kind = tree.Find("kind")->text();
  const std::size_t slash = version.find('/');
  const bool is_core = slash == std::string_view::npos;
  const KindDesc* described = FindKind(is_core ? "" : version.substr(0, slash),
                                       version.substr(is_core ? 0 : slash + 1), kind);
  ASSERT_NE(described, nullptr);
  const std::string message = EncodeMessage(*described->type, tree);
  const auto decoded = DecodeProtobuf({version, kind, message}, *described->type);
  ASSERT_TRUE(decoded.has_value()) << decoded.error().message;
  EXPECT_TRUE((*decoded)->root() == tree) << codec::WriteJson((*decoded)->root());
  std::vector<StrictFinding> findings;
  EXPECT_TRUE(
      Conform(**decoded, (*decoded)->root(), *described->type, FieldValidation::Strict, findings)
          .has_value());
}

INSTANTIATE_TEST_SUITE_P(
    All, ProtobufRoundTripTest,
    testing::ValuesIn<RoundTripCase>({
        {"Pod", R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"n",
           "creationTimestamp":"2026-03-01T12:30:00Z","deletionGracePeriodSeconds":0,
           "labels":{"a":"","b":"c"},"finalizers":["x/y"],
           "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"r","uid":"u",
             "controller":true,"blockOwnerDeletion":false}],
           "managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1",
             "time":"1969-12-31T23:59:59Z","fieldsType":"FieldsV1",
             "fieldsV1":{"f:spec":{"f:priority":{}}}}]},
           "spec":{"volumes":[{"name":"tmp","emptyDir":{}},
             {"name":"cm","configMap":{"name":"c","items":[{"key":"k","path":"p","mode":256}]}},
             {"name":"sec","secret":{"secretName":"s","optional":false}}],
           "initContainers":[{"name":"i","restartPolicy":"Always"}],
           "containers":[{"name":"c","image":"é","args":[""],
             "env":[{"name":"A"},{"name":"B","valueFrom":{"secretKeyRef":{"name":"s","key":"k"}}},
               {"name":"C","valueFrom":{"resourceFieldRef":{"resource":"limits.cpu",
                 "divisor":"0"}}}],
             "ports":[{"containerPort":0,"protocol":"UDP"}],
             "resources":{"limits":{"cpu":"1500m"},"requests":{"memory":"1Gi"}},
             "readinessProbe":{"httpGet":{"path":"/","port":"http"},"periodSeconds":3},
             "livenessProbe":{"tcpSocket":{"port":-1},"terminationGracePeriodSeconds":0},
             "securityContext":{"privileged":false,"runAsUser":0}}],
           "ephemeralContainers":[{"name":"e","targetContainerName":"c"}],
           "terminationGracePeriodSeconds":0,"nodeSelector":{"disk":"ssd"},
           "securityContext":{"supplementalGroups":[0,-1,9223372036854775807]},
           "tolerations":[{"key":"k","operator":"Exists","tolerationSeconds":-5}],
           "affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[
             {"labelSelector":{},"topologyKey":"zone"}]}},
           "overhead":{"cpu":"250m"},"priority":-2147483648}})"},
        {"Deployment", R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"},
           "spec":{"replicas":0,"selector":{"matchExpressions":[{"key":"a","operator":"In",
             "values":["b","c"]}]},"template":{"spec":{"containers":[{"name":"c"}]}},
           "strategy":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":0,
             "maxSurge":"25%"}},"paused":true},
           "status":{"conditions":[{"type":"Available","status":"True",
             "lastTransitionTime":"2026-03-01T12:30:00Z"}]}})"},
        {"Namespace", R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"n"},
           "spec":{"finalizers":["kubernetes"]},"status":{"phase":"Active"}})"},
        {"ConfigMap", R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"n"},
           "data":{"":"a","b":""},"binaryData":{"x":"AP8=","y":""},"immutable":false})"},
        {"PodDisruptionBudget",
         R"({"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":
           {"name":"b"},"status":{"disruptedPods":{"p":"2026-03-01T12:30:00Z","q":null,"r":"9999-12-31T23:59:59Z"},
           "disruptionsAllowed":0}})"},
        {"Lease", R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":
           {"name":"n"},"spec":{"holderIdentity":"","leaseDurationSeconds":15,
           "renewTime":"2026-03-01T12:30:00.123456Z"}})"},
        {"SubjectAccessReview", R"({"apiVersion":"authorization.k8s.io/v1",
           "kind":"SubjectAccessReview","spec":{"user":"u","groups":["g","h"],
           "extra":{"scopes":["a","b"],"none":[]},
           "nonResourceAttributes":{"path":"/healthz","verb":"get"}}})"},
        {"PersistentVolume", R"({"apiVersion":"v1","kind":"PersistentVolume","metadata":
           {"name":"v"},"spec":{"capacity":{"storage":"1Gi"},"local":{"path":"/x"},
           "accessModes":["ReadWriteOnce"],"nodeAffinity":{"required":{"nodeSelectorTerms":[{}]}}}})"},
        {"ResourceClaim", R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":
           {"name":"c"},"spec":{"devices":{"requests":[{"name":"r","exactly":
           {"deviceClassName":"gpu","count":2}}],"config":[{"requests":["r"],"opaque":
           {"driver":"d","parameters":{"a":[1,null,{"b":"c"}]}}}]}}})"},
    }),
    [](const auto& test) { return test.param.name; });

struct MessageCase {
  std::string name;
  std::string message;  // encoded Pod
  std::string want;     // JSON, or the error
};

class PodMessageTest : public testing::TestWithParam<MessageCase> {};

TEST_P(PodMessageTest, IsReadAsGoReadsIt) {
  const auto got = DecodeProtobuf({{}, {}, GetParam().message}, PodType());
  EXPECT_EQ(got.has_value() ? codec::WriteJson((*got)->root()) : got.error().message,
            GetParam().want);
  EXPECT_TRUE(got.has_value() || got.error().reason == Reason::BadRequest);
}

std::string Meta(std::string_view fields) { return EncodeBytes(1, fields); }
std::string Spec(std::string_view fields) { return EncodeBytes(2, fields); }
std::string PodContainer(std::string_view fields) { return Spec(EncodeBytes(2, fields)); }

constexpr std::string_view kOverlong("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", 11);

INSTANTIATE_TEST_SUITE_P(
    Taken, PodMessageTest,
    testing::ValuesIn<MessageCase>({
        {"Nothing", "", "{}"},
        {"UnknownTags", EncodeNumber(99, 1) + EncodeBytes(100000, "x") + Meta(EncodeBytes(1, "p")),
         R"({"metadata":{"name":"p"}})"},
        {"AGroupAndFixedNumbers",
         "\x9B\x06\x9B\x06\x9C\x06\x08\x01\x9C\x06" +
             std::string("\x99\x06"
                         "12345678") +
             "\x9D\x06"
             "1234" +
             Meta(EncodeBytes(1, "p")),
         R"({"metadata":{"name":"p"}})"},
        {"SplitMessagesAreJoined", Meta(EncodeBytes(1, "p")) + Spec("") + Meta(EncodeBytes(3, "n")),
         R"({"metadata":{"name":"p","namespace":"n"},"spec":{}})"},
        {"TheLastScalarCounts", Meta(EncodeBytes(1, "p") + EncodeBytes(1, "q")),
         R"({"metadata":{"name":"q"}})"},
        {"TheLastOfEqualKeysCounts",
         Meta(EncodeBytes(11, EncodeBytes(1, "a") + EncodeBytes(2, "b")) +
              EncodeBytes(11, EncodeBytes(2, "c") + EncodeBytes(1, "a")) + EncodeBytes(11, "")),
         R"({"metadata":{"labels":{"a":"c","":""}}})"},
        {"PackedNumbers",
         Spec(EncodeBytes(14,
                          EncodeBytes(4, std::string("\x01\x00\x80\x01", 4)) + EncodeNumber(4, 7))),
         R"({"spec":{"securityContext":{"supplementalGroups":[1,0,128,7]}}})"},
        {"NumbersAreCut", Spec(EncodeNumber(25, (1LL << 32) + 5)), R"({"spec":{"priority":5}})"},
        {"ZeroTimes", Meta(EncodeBytes(8, "") + EncodeBytes(9, EncodeNumber(1, -62135596800))),
         R"({"metadata":{}})"},
        {"TheEpoch", Meta(EncodeBytes(8, EncodeNumber(1, 0) + EncodeNumber(2, 0))),
         R"({"metadata":{"creationTimestamp":"1970-01-01T00:00:00Z"}})"},
        {"AbsentParts", PodContainer(EncodeBytes(8, EncodeBytes(1, EncodeBytes(1, "cpu")))),
         R"({"spec":{"containers":[{"resources":{"limits":{"cpu":"0"}}}]}})"},
        {"NullJson", Meta(EncodeBytes(17, EncodeBytes(7, ""))),
         R"({"metadata":{"managedFields":[{}]}})"},
        {"EmptyStructsStay", Spec(EncodeBytes(14, "") + EncodeBytes(18, "")),
         R"({"spec":{"securityContext":{},"affinity":{}}})"},
    }),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Refused, PodMessageTest,
    testing::ValuesIn<MessageCase>({
        {"CutTag", "\x80", "unexpected EOF"},
        {"CutLength", "\x0A", "unexpected EOF"},
        {"CutBytes", "\x0A\x05p", "unexpected EOF"},
        {"CutFixed",
         "\x99\x06"
         "123",
         "unexpected EOF"},
        {"CutGroup", "\x9B\x06", "unexpected EOF"},
        {"LongVarint", "\x08" + std::string(kOverlong), "proto: integer overflow"},
        {"HugeLength", "\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01",
         "proto: negative length found during unmarshaling"},
        {"TagZero", std::string("\x00\x01", 2), "proto: illegal tag 0 (wire type 0)"},
        {"UnknownWireType", "\x0E\x01", "proto: illegal wireType 6"},
        {"StrayEndOfGroup", "\x9C\x06", "proto: wiretype end group for non-group"},
        {"NumberForMessage", EncodeNumber(1, 1), "proto: wrong wireType = 0 for field metadata"},
        {"NumberForText", Meta(EncodeNumber(1, 1)), "proto: wrong wireType = 0 for field name"},
        {"TextForNumber", Spec(EncodeBytes(25, "x")),
         "proto: wrong wireType = 2 for field priority"},
        {"NumberForEntry", Meta(EncodeNumber(11, 1)), "proto: wrong wireType = 0 for field labels"},
        {"NumberForKey", Meta(EncodeBytes(11, EncodeNumber(1, 1))),
         "proto: wrong wireType = 0 for field labels"},
        {"NumberForInlined", Spec(EncodeBytes(1, EncodeNumber(2, 1))),
         "proto: wrong wireType = 0 for field v1.Volume"},
        {"TextForSeconds", Meta(EncodeBytes(8, EncodeBytes(1, "x"))),
         "proto: wrong wireType = 2 for field Seconds"},
        {"NoUtf8", Meta(EncodeBytes(1, "\xFF")), "proto: field name contains invalid UTF-8"},
        {"TheYear10000", Meta(EncodeBytes(8, EncodeNumber(1, 253402300800))),
         "Time.MarshalJSON: year outside of range [0,9999]"},
        {"NoJson", Meta(EncodeBytes(17, EncodeBytes(7, EncodeBytes(1, "{")))),
         "fieldsV1: line 1, column 2: expected a key or '}', found the end of the text"},
        {"ThirdTypeOfIntOrString",
         PodContainer(
             EncodeBytes(10, EncodeBytes(1, EncodeBytes(3, EncodeBytes(1, EncodeNumber(1, 2)))))),
         "impossible IntOrString.Type"},
    }),
    [](const auto& test) { return test.param.name; });

struct EnvelopeCase {
  std::string name;
  std::string body;
  std::string message;
};

class ProtobufEnvelopeTest : public testing::TestWithParam<EnvelopeCase> {};

TEST_P(ProtobufEnvelopeTest, IsRefused) {
  const auto got = ReadProtobufEnvelope(GetParam().body);
  ASSERT_FALSE(got.has_value());
  EXPECT_EQ(got.error(), (Error{Reason::BadRequest, {}, GetParam().message}));
}

const std::string kPrefix("k8s\0", 4);

INSTANTIATE_TEST_SUITE_P(
    All, ProtobufEnvelopeTest,
    testing::ValuesIn<EnvelopeCase>({
        {"Empty", "", "empty data"},
        {"Json", "{}",
         "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]"},
        {"PrefixAlone", kPrefix, "empty body"},
        {"Cut", kPrefix + "\x0A\x05", "unexpected EOF"},
        {"NumberForTypeMeta", kPrefix + EncodeNumber(1, 1),
         "proto: wrong wireType = 0 for field TypeMeta"},
        {"NumberForKind", kPrefix + EncodeBytes(1, EncodeNumber(2, 1)),
         "proto: wrong wireType = 0 for field Kind"},
        {"KindNoUtf8", kPrefix + EncodeBytes(1, EncodeBytes(2, "\xFF")),
         "proto: field Kind contains invalid UTF-8"},
        {"Gzip", kPrefix + EncodeBytes(3, "gzip"),
         "protobuf with a content encoding is not understood"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(DecodeProtobufTest, HoldsTheLimits) {
  const std::string pod = EncodeEnvelope("v1", "Pod", Meta(EncodeBytes(1, "p")));
  EXPECT_TRUE(Decode(pod).has_value());
  EXPECT_EQ(Decode(pod, {.bytes_max = 4}).error().reason, Reason::RequestEntityTooLarge);
  EXPECT_EQ(Decode(pod, {.depth_max = 1}).error().message, "proto: exceeded max depth");
  EXPECT_EQ(Decode(pod, {.values_max = 1}).error().message, "proto: too many values");
}

TEST(DecodeProtobufTest, CountsTheDepthOfJsonFromTheRoot) {
  const auto pod = [](std::size_t levels) {
    std::string json(levels, '[');
    json += std::string(levels, ']');
    // metadata.managedFields[0].fieldsV1
    return EncodeEnvelope("v1", "Pod", Meta(EncodeBytes(17, EncodeBytes(7, EncodeBytes(1, json)))));
  };
  EXPECT_TRUE(Decode(pod(6), {.depth_max = 10}).has_value());
  const auto deep = Decode(pod(7), {.depth_max = 10});
  ASSERT_FALSE(deep.has_value());
  EXPECT_EQ(deep.error().message, "proto: exceeded max depth");
}

TEST(DecodeProtobufTest, ReadsAMapOfManyEqualKeysInOneGo) {
  std::string labels;
  for (int count = 0; count < 20000; ++count) {
    labels += EncodeBytes(11, EncodeBytes(1, "a") + EncodeBytes(2, "b"));
  }
  EXPECT_EQ(Decode(EncodeEnvelope("v1", "Pod", Meta(labels))).value(),
            R"({"kind":"Pod","apiVersion":"v1","metadata":{"labels":{"a":"b"}}})");
}

TEST(DecodeProtobufTest, NumbersTheFields) {
  const std::string message = Meta(EncodeBytes(1, "p"));
  const auto document = DecodeProtobuf({"v1", "Pod", message}, PodType());
  const auto members = (*document)->root().Find("metadata")->members();
  EXPECT_EQ(members[0].field,
            FindField(TypeOf("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"), "name"));
}

}  // namespace
}  // namespace plimsoll::api
