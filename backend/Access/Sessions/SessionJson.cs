using System.Text.Json;
using System.Text.Json.Serialization;
using NzbDav.Access.Replies;
using NzbDav.Catalog.Users;

namespace NzbDav.Access.Sessions;

/// <summary>How signing in is written.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, Converters = [typeof(CamelCaseEnum<SessionState>), typeof(CamelCaseEnum<UserRole>)])]
[JsonSerializable(typeof(ConfirmationAskBody))]
[JsonSerializable(typeof(ConfirmationBody))]
[JsonSerializable(typeof(OwnPasswordBody))]
[JsonSerializable(typeof(SessionBody))]
[JsonSerializable(typeof(SessionListBody))]
[JsonSerializable(typeof(SetupBody))]
[JsonSerializable(typeof(SignInBody))]
internal sealed partial class SessionJson : JsonSerializerContext;
