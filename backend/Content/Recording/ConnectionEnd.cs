namespace NzbDav.Content.Recording;

/// <summary>Why a connection to a provider ended.</summary>
public enum ConnectionEnd : byte
{
    /// <summary>The provider or the network ended it.</summary>
    Lost,

    /// <summary>It was not needed any more.</summary>
    Quit,

    /// <summary>Nothing came for too long, so this side gave it up.</summary>
    TimedOut,

    /// <summary>The provider refused to serve articles on it.</summary>
    Refused,
}
