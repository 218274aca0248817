namespace NzbDav.FullNzbTester.Options;

/// <summary>Options that select what this program does, for processes that start it.</summary>
internal static class CommandNames
{
    /// <summary>Tests the whole life of an NZB.</summary>
    public const string Tester = "--test-full-nzb";

    /// <summary>Hidden option, used with <see cref="Tester"/>: this process reads the content stream, as described by a JSON file.</summary>
    public const string ContentChild = "--content-child";
}
