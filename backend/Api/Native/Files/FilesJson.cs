using System.Text.Json;
using System.Text.Json.Serialization;
using NzbDav.Api.Native.Replies;

namespace NzbDav.Api.Native.Files;

/// <summary>JSON serialization of the bodies about files.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, NumberHandling = JsonNumberHandling.Strict, UseStringEnumConverter = true)]
[JsonSerializable(typeof(FilePageBody))]
[JsonSerializable(typeof(FileDetailsBody))]
[JsonSerializable(typeof(FileCheckBody))]
[JsonSerializable(typeof(MediaBody))]
[JsonSerializable(typeof(PlayLinkRequestBody))]
[JsonSerializable(typeof(PlayLinkBody))]
[JsonSerializable(typeof(FilesActionBody))]
[JsonSerializable(typeof(ActionAnswerBody))]
internal sealed partial class FilesJson : JsonSerializerContext;
