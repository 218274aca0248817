using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Api.Native.Jobs;

/// <summary>How jobs are read and written.</summary>
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
