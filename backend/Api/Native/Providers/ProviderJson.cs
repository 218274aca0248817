using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Api.Native.Providers;

/// <summary>JSON serialization of providers.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, NumberHandling = JsonNumberHandling.Strict, UseStringEnumConverter = true)]
[JsonSerializable(typeof(ProvidersBody))]
[JsonSerializable(typeof(ProviderTestBody))]
[JsonSerializable(typeof(ProviderVerdictBody))]
[JsonSerializable(typeof(ProviderTestFaultsBody))]
internal sealed partial class ProviderJson : JsonSerializerContext;
