namespace NzbDav.FullNzbTester.Options;

/// <summary>A fault that is put into the content stream on purpose.</summary>
internal enum PlantedFault
{
    None,

    /// <summary>One bit of one byte is turned.</summary>
    Flip,

    /// <summary>One article is left out.</summary>
    Skip,

    /// <summary>One read takes two seconds longer.</summary>
    Delay,

    /// <summary>One lease is never given back.</summary>
    Leak,
}
