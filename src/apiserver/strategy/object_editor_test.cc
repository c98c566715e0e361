#include "apiserver/strategy/object_editor.h"

#include <gtest/gtest.h>

#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

std::shared_ptr<codec::Document> Parse(std::string json) {
  return std::move(*codec::ParseJson(std::move(json)));
}

const api::KindDesc& PodKind() { return *api::FindKind("", "v1", "Pod"); }

std::shared_ptr<codec::Document> ParsePod(std::string json) {
  auto document = Parse(std::move(json));
  std::vector<api::StrictFinding> findings;
  EXPECT_TRUE(api::Conform(*document, document->root(), *PodKind().type,
                           api::FieldValidation::Ignore, findings));
  return document;
}

TEST(ObjectEditorTest, WhatIsWrittenIsWhatDecodersRead) {
  const auto document = ParsePod(R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}})");
  const ObjectEditor pod(*document, PodKind());
  pod.Child("spec").SetText("nodeName", "n1");
  pod.Child("metadata").SetInt("generation", 4);
  pod.Child("metadata").Child("labels").SetText("app", "web");
  const api::Object object(document, document->root(), PodKind());
  EXPECT_EQ(object.As<api::Pod>()->spec.node_name, "n1");
  EXPECT_EQ(object.metadata().generation, 4);
  EXPECT_EQ(object.metadata().labels.Find("app"), "web");
}

TEST(ObjectEditorTest, CopiesAndRemoves) {
  const auto document = ParsePod(R"({"metadata":{"name":"a"},"status":{"phase":"Running"}})");
  const auto other = ParsePod(R"({"status":{"phase":"Pending"}})");
  const ObjectEditor pod(*document, PodKind());
  pod.CopyFrom(&other->root(), "status");
  pod.CopyFrom(&other->root(), "metadata");
  EXPECT_EQ(codec::WriteJson(document->root()), R"({"status":{"phase":"Pending"}})");
}

TEST(ObjectEditorTest, NothingAndEmptyAreTheSame) {
  const auto document = Parse(R"({"a":{},"b":{"x":1},"c":[],"d":[1]})");
  const auto other = Parse(R"({"b":{"x":1},"d":[2]})");
  EXPECT_TRUE(SameAt(document->root(), other->root(), "a"));
  EXPECT_TRUE(SameAt(document->root(), other->root(), "b"));
  EXPECT_TRUE(SameAt(document->root(), other->root(), "c"));
  EXPECT_FALSE(SameAt(document->root(), other->root(), "d"));
  EXPECT_TRUE(SameAt(document->root(), other->root(), "e"));
}

}  // namespace
}  // namespace plimsoll::apiserver
