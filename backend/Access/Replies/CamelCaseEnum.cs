using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Access.Replies;

/// <summary>Writes an enum as its member's name in camelCase and reads it back; numbers are refused.</summary>
public sealed class CamelCaseEnum<T>() : JsonStringEnumConverter<T>(JsonNamingPolicy.CamelCase, allowIntegerValues: false)
    where T : struct, Enum;
