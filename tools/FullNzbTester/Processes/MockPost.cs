namespace NzbDav.FullNzbTester;

/// <summary>What the mock posts.</summary>
internal static class PostedFileName
{
    /// <summary>The file of random bytes; its name and the seed decide its bytes.</summary>
    public const string Random = "mock.bin";

    /// <summary>The mock's own default.</summary>
    public const ulong Seed = 1;
}
