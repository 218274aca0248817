using System.Reflection;

namespace NzbDav.Host.About;

/// <summary>Identifies the build of the program.</summary>
internal static class Build
{
    /// <summary>Such as <c>0.1.0</c>.</summary>
    public static string Version { get; } = typeof(Build).Assembly.GetName().Version?.ToString(3) ?? "";

    /// <summary>The commit it was built from; null: not known to the build.</summary>
    public static string? Commit { get; } =
        typeof(Build).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+', 2) is [_, { Length: > 0 } commit] ? commit : null;
}
