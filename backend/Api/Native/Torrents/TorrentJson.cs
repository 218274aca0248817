using System.Text.Json;
using System.Text.Json.Serialization;
using NzbDav.Api.Native.Replies;

namespace NzbDav.Api.Native.Torrents;

/// <summary>JSON serialization of torrents.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, NumberHandling = JsonNumberHandling.Strict, UseStringEnumConverter = true)]
[JsonSerializable(typeof(TorrentsBody))]
[JsonSerializable(typeof(TorrentDetailsBody))]
[JsonSerializable(typeof(TorrentLimitsBody))]
[JsonSerializable(typeof(TorrentsActionBody))]
[JsonSerializable(typeof(TorrentPolicyBody))]
[JsonSerializable(typeof(TorrentPriorityBody))]
[JsonSerializable(typeof(TorrentNetworkBody))]
[JsonSerializable(typeof(ActionAnswerBody))]
internal sealed partial class TorrentJson : JsonSerializerContext;
