namespace NzbDav.Host.Arrs;

/// <summary>A configured *arr, without its key.</summary>
/// <param name="Number">Its number in the settings.</param>
/// <param name="Name">Its name.</param>
/// <param name="Application">The program.</param>
/// <param name="Url">Its address.</param>
/// <param name="Category">The category of its downloads here.</param>
/// <param name="Trouble">The error of the latest call to it; null: it succeeded.</param>
internal sealed record ArrRow(int Number, string Name, string Application, string Url, string Category, string? Trouble)
{
    public static ArrRow Of(ArrInstance instance) => new(
        instance.Settings.Number, instance.Settings.Name, instance.Settings.Options.Application.ToString(), instance.Settings.Options.Url, instance.Settings.Category, instance.Trouble);
}
