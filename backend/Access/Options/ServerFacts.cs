namespace NzbDav.Access.Options;

/// <summary>What a page is told of the server before it shows anything. Immutable.</summary>
/// <param name="Version">Of the program, such as <c>0.1.0</c>; told to those who are signed in.</param>
/// <param name="IsDemo">It shows what it can with videos of its own.</param>
/// <param name="IsOpen">Until there is a user, whoever asks from this machine may do everything: the demo without a password, which listens on loopback only.</param>
/// <param name="IsOpenToAll">With <paramref name="IsOpen"/>: whoever reaches it may do everything, because something else, such as the published ports of a container, decides who does.</param>
public sealed record ServerFacts(string Version, bool IsDemo = false, bool IsOpen = false, bool IsOpenToAll = false);
