using System.Text.Json;
using System.Text.Json.Serialization;
using NzbDav.Api.Native.Replies;

namespace NzbDav.Api.Native.Jobs;

/// <summary>JSON serialization of jobs.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, NumberHandling = JsonNumberHandling.Strict, UseStringEnumConverter = true)]
[JsonSerializable(typeof(JobPageBody))]
[JsonSerializable(typeof(JobDetailsBody))]
[JsonSerializable(typeof(AddAnswerBody))]
[JsonSerializable(typeof(AddLinksBody))]
[JsonSerializable(typeof(JobsActionBody))]
[JsonSerializable(typeof(ActionAnswerBody))]
[JsonSerializable(typeof(QueueBody))]
[JsonSerializable(typeof(QueueChangeBody))]
internal sealed partial class JobsJson : JsonSerializerContext;
