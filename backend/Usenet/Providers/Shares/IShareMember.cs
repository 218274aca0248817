namespace NzbDav.Usenet.Providers.Shares;

/// <summary>A pool of connections that belongs to an account's share. Thread-safe. Called outside the locks of shares.</summary>
internal interface IShareMember
{
    /// <summary>Connections that its settings allow; 0 once it opens no more.</summary>
    int Most { get; }

    /// <summary>How it uses its connections now. Takes the locks of dispatcher and pool.</summary>
    ShareUse Use();

    /// <summary>The share became another one: opens connections, or closes idle ones at once and others after what they carry.</summary>
    /// <param name="gained">Connections that other processes may have had until now: the server may still count them.</param>
    void Changed(int gained);

    /// <summary>The share has ended: closes all connections at once, and stops opening any.</summary>
    void Cut();
}
