using NzbDav.Api.Native.Events;
using NzbDav.Usenet;

namespace NzbDav.Api.Native.Providers;

/// <summary>
/// Reports the accounts: at once when one goes down or comes back, and once a second while anything else about them changes. A connection notices by itself when the
/// server closes it, and the status then changes at once. A provider that cannot be reached is tried again each second while a page listens.
/// </summary>
internal sealed class ProviderTopic(UsenetClient usenet, ProviderList list) : IEventTopic
{
    private IReadOnlyList<ProviderBody>? _told;

    /// <summary>Not raised for each connection: that would be too often.</summary>
    public event Action? Changed
    {
        add => usenet.PhaseChanged += value;
        remove => usenet.PhaseChanged -= value;
    }

    public string Name => "providers";

    public Type DataType => typeof(ProvidersBody);

    public bool IsWhole => true;

    public TimeSpan Pace => TimeSpan.FromMilliseconds(100);

    public TimeSpan? Period => TimeSpan.FromSeconds(1);

    public ValueTask<object?> TakeAsync(CancellationToken cancellationToken)
    {
        usenet.NoteLook();
        var now = list.Now;
        if (_told is { } told && told.SequenceEqual(now.Providers))
            return ValueTask.FromResult<object?>(null);
        _told = now.Providers;
        return ValueTask.FromResult<object?>(now);
    }

    public void Begin() => _told = null;
}
