namespace NzbDav.FullNzbTester.Options;

/// <summary>A fault planted in the content stream on purpose.</summary>
internal enum PlantedFault
{
    None,

    /// <summary>One bit of one byte is flipped.</summary>
    Flip,

    /// <summary>One article is skipped.</summary>
    Skip,

    /// <summary>One read takes two seconds longer.</summary>
    Delay,

    /// <summary>One lease is never returned.</summary>
    Leak,
}
