namespace NzbDav.Usenet.Yenc;

/// <summary>Where in an article its decoder is.</summary>
internal enum YencPhase
{
    /// <summary>Before <c>=ybegin</c>.</summary>
    Preamble,

    /// <summary>After <c>=ybegin</c>: <c>=ypart</c> or data.</summary>
    Begun,

    /// <summary>The owner is to set a destination.</summary>
    HeaderReady,

    /// <summary>Encoded lines.</summary>
    Data,

    /// <summary>More data than announced: nothing is written until <c>=yend</c>.</summary>
    Overlong,

    /// <summary>Nothing but the terminator matters any more.</summary>
    Tail,

    /// <summary>The terminator has come.</summary>
    Complete,
}
