namespace NzbDav.FullNzbTester.Tests;

/// <summary>What <see cref="FaultyServer"/> does wrong.</summary>
internal enum ServerFault
{
    None,
    Flip,
    Skip,
    Delay,
    Cut,
    ShortInPeace,
    Refuse,
}
