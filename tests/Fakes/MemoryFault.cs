using NzbDav.Content;

namespace NzbDav.Fakes;

/// <summary>A failure that a test put into a <see cref="MemoryContent"/>. Thread-safe.</summary>
internal sealed class MemoryFault(ContentFault kind, int times)
{
    private readonly bool _forever = times == int.MaxValue;
    private int _left = times;

    public ContentFault Kind => kind;

    /// <summary>True while it still has to fail; counts down unless it fails for ever.</summary>
    public bool Fires() => _forever || Interlocked.Decrement(ref _left) >= 0;
}
