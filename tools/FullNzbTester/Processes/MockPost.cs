namespace NzbDav.FullNzbTester.Processes;

/// <summary>The mock's post, if it is not a file of the user's.</summary>
internal static class MockPost
{
    /// <summary>Name of the random film, as posted. Its bytes depend on the name and the seed.</summary>
    public const string RandomFile = "mock.bin";

    /// <summary>The mock's default seed.</summary>
    public const ulong Seed = 1;

    /// <summary>Decoded bytes of each article but the last.</summary>
    public const long ArticleSize = 716_800;
}
