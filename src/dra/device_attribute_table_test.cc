#include "dra/device_attribute_table.h"

#include <gtest/gtest.h>

namespace plimsoll::dra {
namespace {

using Kind = FactName::Kind;

cel::DeviceFacts Gpu(std::string_view model, std::int64_t serial) {
  return {.driver = "d",
          .attributes = {{"model", model}, {"serial", serial}},
          .capacity = {{"memory", *Quantity::Parse("1Gi")}}};
}

class FactTableTest : public testing::Test {
 protected:
  DeviceAttributeTable::ValueId ValueOf(DeviceAttributeTable::Column& column,
                                        DeviceAttributeTable::Slot slot) {
    return table_.ValueOf(column, table_.RowOf(slot));
  }
  DeviceAttributeTable::ValueNumber NumberOf(DeviceAttributeTable::Column& column,
                                             DeviceAttributeTable::Slot slot) {
    return table_.NumberOf(column, ValueOf(column, slot));
  }

  DeviceAttributeTable table_;
  DeviceAttributeTable::Column& model_ = table_.AcquireColumn({Kind::Attribute, "d/model", 1});
  DeviceAttributeTable::Column& serial_ = table_.AcquireColumn({Kind::Attribute, "d/serial", 1});
  DeviceAttributeTable::Column& memory_ = table_.AcquireColumn({Kind::Capacity, "d/memory", 1});
  DeviceAttributeTable::Column& driver_ = table_.AcquireColumn({.kind = Kind::Driver});
  DeviceAttributeTable::Column& multiple_ =
      table_.AcquireColumn({.kind = Kind::AllowMultipleAllocations});
  DeviceAttributeTable::Column& everything_ = table_.AcquireColumn({});
};

TEST_F(FactTableTest, EqualValuesHaveOneNumber) {
  table_.Put(0, Gpu("A100", 1));
  table_.Put(1, Gpu("A100", 2));
  cel::DeviceFacts other = Gpu("H100", 2);
  other.allow_multiple_allocations = true;
  other.capacity[0].value = *Quantity::Parse("1024Mi");
  table_.Put(2, other);
  EXPECT_EQ(ValueOf(model_, 0), ValueOf(model_, 1));
  EXPECT_NE(ValueOf(model_, 0), ValueOf(model_, 2));
  EXPECT_NE(ValueOf(serial_, 0), ValueOf(serial_, 1));
  EXPECT_EQ(ValueOf(serial_, 1), ValueOf(serial_, 2));
  EXPECT_EQ(ValueOf(memory_, 0), ValueOf(memory_, 2)) << "the same amount";
  EXPECT_EQ(ValueOf(driver_, 0), ValueOf(driver_, 2));
  EXPECT_NE(ValueOf(multiple_, 0), ValueOf(multiple_, 2));
  EXPECT_NE(ValueOf(everything_, 0), ValueOf(everything_, 1));
  EXPECT_LT(ValueOf(serial_, 2), table_.value_bound());
}

TEST_F(FactTableTest, DevicesThatAreEqualInEverythingShareARow) {
  table_.Put(0, Gpu("A100", 1));
  table_.Put(1, Gpu("A100", 1));
  EXPECT_EQ(ValueOf(everything_, 0), ValueOf(everything_, 1));
  table_.Clear(0);
  const auto row = NumberOf(everything_, 1);
  EXPECT_FALSE(table_.Put(1, Gpu("A100", 1)));
  EXPECT_EQ(NumberOf(everything_, 1), row);
  EXPECT_TRUE(table_.Put(1, Gpu("A100", 2)));
  EXPECT_NE(NumberOf(everything_, 1), row);
}

TEST_F(FactTableTest, NumbersAreNeverGivenToOthers) {
  table_.Put(0, Gpu("A100", 1));
  const auto id = ValueOf(model_, 0);
  const auto number = NumberOf(model_, 0);
  const auto row = NumberOf(everything_, 0);
  table_.Clear(0);
  table_.Put(0, {.driver = "d", .attributes = {{"model", std::string_view("H100")}}});
  EXPECT_NE(NumberOf(model_, 0), number);
  EXPECT_NE(NumberOf(everything_, 0), row);
  EXPECT_LE(ValueOf(model_, 0), id + 2) << "ids are, so that they stay small";
}

TEST_F(FactTableTest, ColumnsFollowDevicesOfOtherLayouts) {
  table_.Put(0, Gpu("A100", 1));
  EXPECT_NE(NumberOf(model_, 0), 0U);
  table_.Clear(0);
  // The layout's id is reused for a layout with other facts at the same positions.
  table_.Put(0, {.driver = "e", .attributes = {{"cores", std::int64_t{1}}, {"d/model", true}}});
  table_.Put(1, {.driver = "d", .attributes = {{"model", true}}});
  EXPECT_EQ(ValueOf(serial_, 0), Interner::kNone);
  EXPECT_EQ(NumberOf(serial_, 0), 0U);
  EXPECT_EQ(ValueOf(model_, 0), ValueOf(model_, 1));
}

TEST_F(FactTableTest, TextsAreKnownBeforeDevicesHaveThem) {
  const auto text = table_.AcquireText("A100");
  table_.Put(0, Gpu("A100", 1));
  table_.Put(1, {.driver = "d", .attributes = {{"model", cel::VersionText{"A100"}}}});
  EXPECT_EQ(ValueOf(model_, 0), text);
  EXPECT_NE(ValueOf(model_, 1), text);
  EXPECT_TRUE(table_.RowOf(0).can_be_evaluated());
  EXPECT_FALSE(table_.RowOf(1).can_be_evaluated()) << "that is no version";
  table_.Clear(0);
  table_.ReleaseValue(text);
}

}  // namespace
}  // namespace plimsoll::dra
