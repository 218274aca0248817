namespace NzbDav.Torrents.Wire;

/// <summary>First byte of a message: BEP 3, 6 (fast), 10 (extension protocol) and 52 (hashes of version 2).</summary>
internal enum MessageId : byte
{
    Choke = 0,
    Unchoke = 1,
    Interested = 2,
    NotInterested = 3,
    Have = 4,
    Bitfield = 5,
    Request = 6,
    Piece = 7,
    Cancel = 8,
    Port = 9,
    SuggestPiece = 13,
    HaveAll = 14,
    HaveNone = 15,
    RejectRequest = 16,
    AllowedFast = 17,
    Extended = 20,
    HashRequest = 21,
    HashReject = 23,
}
