namespace NzbDav.Usenet.Nntp;

/// <summary>What a connection needs from its account. Thread-safe; nothing here blocks.</summary>
internal interface INntpAccount
{
    /// <summary>Name for display.</summary>
    string Name { get; }

    /// <summary>Time from a request to the first byte of its answer on an idle connection, smoothed.</summary>
    TimeSpan RoundTrip { get; }

    /// <summary>True while decoding times are being collected.</summary>
    bool TimesDecoding { get; }

    /// <summary>The command that asks whether an article exists: STAT, or HEAD or even BODY if the server does not know STAT.</summary>
    NntpCommand ExistenceCommand { get; }

    /// <summary>Reports that the server does not know a command that was sent as <see cref="ExistenceCommand"/>.</summary>
    void OnCommandUnsupported(NntpCommand command);

    /// <summary>Reports a round trip on an idle connection.</summary>
    void RoundTripMeasured(TimeSpan time);

    /// <summary>Reports that a command was sent: its time in the queue, and the number of requests on the connection with it.</summary>
    void Sent(TimeSpan queued, int depth);

    /// <summary>Reports the time from when a command became the next in its pipe to the first byte of its answer.</summary>
    void FirstByte(TimeSpan time);

    /// <summary>Reports an intact article.</summary>
    /// <param name="receive">Time from its first to its last byte, without decoding.</param>
    /// <param name="decode">Time spent decoding it; zero unless <see cref="TimesDecoding"/>.</param>
    /// <param name="bytes">Decoded bytes.</param>
    void Received(TimeSpan receive, TimeSpan decode, int bytes);
}
