namespace NzbDav.TorrentTester.Stages;

/// <summary>Options of the stages.</summary>
internal sealed record TesterOptions(int SizeMiB, int Seeks, double[] RoundTrips, double Seconds, int Rounds, FileInfo? Torrent, string? Peer, bool Libtorrent);
