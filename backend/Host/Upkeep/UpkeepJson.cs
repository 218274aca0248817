using System.Text.Json;
using System.Text.Json.Serialization;
using NzbDav.Arr.Repair;

namespace NzbDav.Host.Upkeep;

[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(HealthOverviewBody))]
[JsonSerializable(typeof(HealthListBody))]
[JsonSerializable(typeof(HealthDetailBody))]
[JsonSerializable(typeof(HealthNewsBody))]
[JsonSerializable(typeof(HealthKeepBody))]
[JsonSerializable(typeof(HealthPauseBody))]
[JsonSerializable(typeof(ReplacementSearch))]
internal sealed partial class UpkeepJson : JsonSerializerContext;
