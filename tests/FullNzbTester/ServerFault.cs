namespace NzbDav.FullNzbTester.Tests;

/// <summary>Faults of <see cref="FaultyServer"/>.</summary>
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
