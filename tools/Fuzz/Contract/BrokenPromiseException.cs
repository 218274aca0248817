namespace NzbDav.Fuzz.Contract;

/// <summary>A parser's result that breaks what its contract promises: a span beyond the file, a value of a refused entry.</summary>
/// <param name="message">Which promise.</param>
internal sealed class BrokenPromiseException(string message) : Exception(message)
{
    /// <summary>Throws unless <paramref name="kept"/>.</summary>
    public static void ThrowUnless(bool kept, string promise)
    {
        if (!kept)
            throw new BrokenPromiseException(promise);
    }
}
