namespace NzbDav.Content.Recording;

/// <summary>A provider of a recording.</summary>
/// <param name="Number">Its number.</param>
/// <param name="Connections">Connections that its account was configured with.</param>
/// <param name="Priority">Its priority.</param>
/// <param name="Backbone">Number of its backbone; null: none was configured.</param>
/// <param name="IsBlock">A block account.</param>
public sealed record RecordedProvider(int Number, int Connections, int Priority, int? Backbone, bool IsBlock);
