namespace NzbDav.Torrents.Settings;

/// <summary>When <see cref="TorrentOptions.AlternativeRates"/> hold.</summary>
public enum AlternativeLimits
{
    /// <summary>At <see cref="TorrentOptions.AlternativeTimes"/>.</summary>
    AtTimes,

    /// <summary>Whatever the time.</summary>
    Always,

    /// <summary>At no time.</summary>
    Never,
}
