using NzbDav.Access.Replies;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Api.Native.Documents;

/// <summary>The names of schemas: a record may be called NameBody, its schema is called Name. Where a job stands is called its state outside. Pure.</summary>
internal static class SchemaNames
{
    private const string Suffix = "Body";

    /// <summary>The name of a type's schema.</summary>
    public static string Of(Type type) => Of(type, type.Name);

    /// <summary>The name of a type's schema.</summary>
    /// <param name="type">The type.</param>
    /// <param name="name">Its name, with its type arguments where it has some.</param>
    public static string Of(Type type, string name) =>
        type == typeof(JobStanding) ? "JobState" : type != typeof(ErrorBody) && name.Length > Suffix.Length && name.EndsWith(Suffix, StringComparison.Ordinal) ? name[..^Suffix.Length] : name;
}
