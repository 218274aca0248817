using NzbDav.Api.Native.Events;
using NzbDav.Usenet;

namespace NzbDav.Api.Native.Providers;

/// <summary>
/// News of the accounts: at once when one goes down or is back, and once a second while anything else about them changes. What a connection notices by itself, as the end that its server tells,
/// is in the status at once; a provider that cannot be reached is asked for its greeting each second while a page listens.
/// </summary>
internal sealed class ProviderTopic(UsenetClient usenet, ProviderList list) : IEventTopic
{
    private IReadOnlyList<ProviderBody>? _told;

    /// <summary>Not raised for each connection: that would be too much.</summary>
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
