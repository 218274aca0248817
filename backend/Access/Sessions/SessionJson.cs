using System.Text.Json;
using System.Text.Json.Serialization;
using NzbDav.Catalog;

namespace NzbDav.Access;

/// <summary>How signing in is written.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, Converters = [typeof(CamelCaseEnum<SessionState>), typeof(CamelCaseEnum<UserRole>)])]
[JsonSerializable(typeof(OwnPasswordBody))]
[JsonSerializable(typeof(SessionBody))]
[JsonSerializable(typeof(SessionListBody))]
[JsonSerializable(typeof(SetupBody))]
[JsonSerializable(typeof(SignInBody))]
internal sealed partial class SessionJson : JsonSerializerContext;
