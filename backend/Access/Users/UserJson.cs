using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Access;

/// <summary>How users are written.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(IReadOnlyList<UserBody>))]
[JsonSerializable(typeof(PasswordBody))]
[JsonSerializable(typeof(SignInBody))]
[JsonSerializable(typeof(UserBody))]
internal sealed partial class UserJson : JsonSerializerContext;
