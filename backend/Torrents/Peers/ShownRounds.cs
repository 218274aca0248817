namespace NzbDav.Torrents.Peers;

/// <summary>
/// Distinguishes a super seed (BEP 16) from a peer that is still downloading: both have few pieces and announce more. A super seed
/// announces another piece only when one that it has shown was downloaded; a downloading peer announces pieces at its own pace. A round is
/// such a pair. Used under the torrent's lock.
/// </summary>
internal sealed class ShownRounds
{
    /// <summary>
    /// Rounds in a row that prove a super seed. A peer that announces a piece every three seconds passes one round in three by chance, and
    /// eight in a row once in six thousand.
    /// </summary>
    public const int Proof = 8;

    /// <summary>
    /// Longest time from our announcement of a piece to the peer's announcement of the next: a round trip, and its processing time.
    /// </summary>
    private const long AnswerTicks = TimeSpan.TicksPerSecond;

    private int _obtained;
    private long _obtainedAt;

    /// <summary>Rounds in a row so far.</summary>
    public int Count { get; private set; }

    /// <summary>True once it has proved to be a super seed.</summary>
    public bool IsProved { get; private set; }

    /// <summary>Call when we have, and announce, a piece that it has shown.</summary>
    /// <param name="now">Ticks.</param>
    public void OnShownPieceObtained(long now)
    {
        _obtained = Math.Min(_obtained + 1, Proof);
        _obtainedAt = now;
    }

    /// <summary>Call when it announces another piece.</summary>
    /// <param name="now">Ticks.</param>
    public void OnPieceShown(long now)
    {
        (Count, _obtained) = _obtained > 0 && now - _obtainedAt <= AnswerTicks ? (Count + 1, _obtained - 1) : (0, 0);
        IsProved |= Count >= Proof;
    }
}
