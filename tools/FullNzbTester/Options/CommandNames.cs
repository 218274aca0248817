namespace NzbDav.FullNzbTester.Options;

/// <summary>Options that select what this program does, for those that start it as a process.</summary>
internal static class CommandNames
{
    /// <summary>The whole life of an NZB.</summary>
    public const string Tester = "--test-full-nzb";

    /// <summary>Hidden, beside <see cref="Tester"/>: this process reads the content stream, as a file of JSON says.</summary>
    public const string ContentChild = "--content-child";
}
