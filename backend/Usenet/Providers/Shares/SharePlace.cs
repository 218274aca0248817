namespace NzbDav.Usenet.Providers.Shares;

/// <summary>A lane's place in the share of its account, held from before a connection is dialled until it has ended. Without a share it costs nothing. One caller at a time.</summary>
/// <param name="share">The share; null: the account belongs to this process alone.</param>
internal sealed class SharePlace(AccountShare? share)
{
    private bool _isHeld;
    private bool _hasEnded;

    /// <summary>Takes a place, if none is held.</summary>
    /// <returns>False when the share has none left.</returns>
    public bool TryTake()
    {
        if (share is null || _isHeld)
            return true;
        return _isHeld = share.TryTake();
    }

    /// <summary>The connection has ended, but the server may count it for a moment: the place stays held until <see cref="Return"/>.</summary>
    public void End()
    {
        if (!_isHeld || _hasEnded)
            return;
        _hasEnded = true;
        share!.End();
    }

    /// <summary>Gives the place back, if one is held.</summary>
    public void Return()
    {
        if (!_isHeld)
            return;
        share!.Return(_hasEnded);
        (_isHeld, _hasEnded) = (false, false);
    }
}
