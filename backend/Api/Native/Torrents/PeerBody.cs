namespace NzbDav.Api.Native.Torrents;

/// <summary>A connected peer.</summary>
/// <param name="Address">Address and port.</param>
/// <param name="Client">Its program, by its own word.</param>
/// <param name="Share">What it has of the torrent, 0 to 1.</param>
/// <param name="DownRate">Bytes a second from it, over the last four seconds.</param>
/// <param name="UpRate">Bytes a second to it, over the last four seconds.</param>
/// <param name="Choked">It does not answer requests.</param>
/// <param name="Interested">It wants pieces of ours.</param>
/// <param name="Incoming">It came to us.</param>
/// <param name="Pending">Blocks that it was asked for and that have not come.</param>
internal sealed record PeerBody(string Address, string? Client, double Share, double DownRate, double UpRate, bool Choked, bool Interested, bool Incoming, int Pending);
