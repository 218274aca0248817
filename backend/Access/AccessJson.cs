using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Access;

[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(ErrorBody))]
[JsonSerializable(typeof(IReadOnlyList<UserBody>))]
[JsonSerializable(typeof(JsonElement))]
[JsonSerializable(typeof(OidcDocument))]
[JsonSerializable(typeof(PasswordBody))]
[JsonSerializable(typeof(SessionBody))]
[JsonSerializable(typeof(SetupBody))]
[JsonSerializable(typeof(SignInBody))]
[JsonSerializable(typeof(UserBody))]
internal sealed partial class AccessJson : JsonSerializerContext;
