namespace NzbDav.Content.Recording;

/// <summary>Why a connection to a provider ended.</summary>
public enum ConnectionEnd : byte
{
    /// <summary>The provider or the network ended it.</summary>
    Lost,

    /// <summary>It was no longer needed.</summary>
    Quit,

    /// <summary>Nothing arrived for too long, so this side closed it.</summary>
    TimedOut,

    /// <summary>The provider refused to serve articles on it.</summary>
    Refused,
}
