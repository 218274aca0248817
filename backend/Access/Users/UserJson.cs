using System.Text.Json;
using System.Text.Json.Serialization;
using NzbDav.Access.Replies;
using NzbDav.Catalog.Users;

namespace NzbDav.Access.Users;

/// <summary>How users are written.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, Converters = [typeof(CamelCaseEnum<UserRole>)])]
[JsonSerializable(typeof(NewUserBody))]
[JsonSerializable(typeof(PasswordBody))]
[JsonSerializable(typeof(RoleBody))]
[JsonSerializable(typeof(UserBody))]
[JsonSerializable(typeof(UserListBody))]
internal sealed partial class UserJson : JsonSerializerContext;
