namespace NzbDav.MockUsenet.Providers;

/// <summary>When a connection above the limit is refused with 502.</summary>
public enum CapRefusal
{
    /// <summary>In place of the greeting.</summary>
    AtGreeting,

    /// <summary>In reply to the right password, as many real providers do.</summary>
    AtLogin,
}
