namespace NzbDav.Usenet.Nntp;

/// <summary>How one request on one connection ended.</summary>
internal enum AttemptOutcome
{
    /// <summary>Complete and intact.</summary>
    Found,

    /// <summary>The provider does not have it (430, 423, 420).</summary>
    Missing,

    /// <summary>Damaged: wrong checksum or size, or an unknown format.</summary>
    Corrupt,

    /// <summary>Intact, in an encoding that is not supported: other copies are no better.</summary>
    Foreign,

    /// <summary>Intact, but not the part that was expected.</summary>
    Mismatch,

    /// <summary>The connection was lost with the request on the wire.</summary>
    Lost,

    /// <summary>The server refuses to serve articles on this connection (400, 480, 481, 482, 502), which is closed.</summary>
    Refused,

    /// <summary>The connection was closed before it took the request, or before its turn came.</summary>
    NotSent,

    /// <summary>Not needed any more: another attempt was faster.</summary>
    Superseded,
}
