namespace NzbDav.Access.Options;

/// <summary>The <see cref="AccessOptions"/> as they are now. Everything looks here for each request, so that a change counts at once. Thread-safe.</summary>
public sealed class LiveAccess(AccessOptions options)
{
    private volatile AccessOptions _current = options;

    /// <summary>What counts now.</summary>
    public AccessOptions Current => _current;

    /// <summary>Raised after a change, on the thread that made it.</summary>
    public event Action? Changed;

    /// <summary>From now on others count. They must have been checked.</summary>
    public void Replace(AccessOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        _current = options;
        Changed?.Invoke();
    }
}
