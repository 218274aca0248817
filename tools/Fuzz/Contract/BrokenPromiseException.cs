namespace NzbDav.Fuzz.Contract;

/// <summary>A parser's result that breaks its contract: a span beyond the file, or a value of a refused entry.</summary>
/// <param name="message">The broken promise.</param>
internal sealed class BrokenPromiseException(string message) : Exception(message)
{
    /// <summary>Throws if <paramref name="kept"/> is false.</summary>
    public static void ThrowUnless(bool kept, string promise)
    {
        if (!kept)
            throw new BrokenPromiseException(promise);
    }
}
