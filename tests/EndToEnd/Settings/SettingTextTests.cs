using NzbDav.Host.Settings;
using NzbDav.Host.Settings.Texts;

namespace NzbDav.EndToEnd.Tests.Settings;

/// <summary>Titles and descriptions of the settings.</summary>
public sealed class SettingTextTests
{
    [Fact]
    public void Each_setting_has_a_title_a_description_and_a_group()
    {
        var groups = SettingTexts.Groups.Select(group => group.Id).ToHashSet(StringComparer.Ordinal);
        var faults = SettingsDocument.Entries().Values
            .Where(entry => entry.Text is not { Title.Length: > 1, Description.Length: > 10 } text || !groups.Contains(text.Group)
                || !text.Description.EndsWith('.') || text.Title.EndsWith('.'))
            .Select(entry => entry.Path);
        Assert.Empty(faults);
    }

    [Fact]
    public void Every_text_belongs_to_one_existing_setting()
    {
        var entries = SettingsDocument.Entries();
        Assert.Empty(SettingTexts.All.Where(text => !entries.ContainsKey(text.Path)).Select(text => text.Path));
        Assert.Equal(SettingTexts.All.Count, SettingTexts.All.Select(text => text.Path).Distinct(StringComparer.OrdinalIgnoreCase).Count());
    }

    [Fact]
    public void Choice_settings_list_their_choices_including_the_default()
    {
        foreach (var entry in SettingsDocument.Entries().Values)
        {
            Assert.True(entry.Kind == SettingKind.Choice == (entry.Text.Choices is not null), entry.Path);
            if (entry is { Text.Choices: { } choices, Default: { } otherwise })
                Assert.Contains(otherwise, choices.Select(choice => choice.Value));
        }
    }

    [Fact]
    public void Each_offered_choice_is_accepted()
    {
        foreach (var entry in SettingsDocument.Entries().Values.Where(
            entry => entry.Kind == SettingKind.Choice && !entry.Path.Contains('#', StringComparison.Ordinal)))
        {
            foreach (var (value, _) in entry.Text.Choices!)
            {
                var reading = Running.Gateway.Sources(new Dictionary<string, string?> { [entry.Path] = value })
                    .Read(new Dictionary<string, string>(StringComparer.Ordinal));
                Assert.DoesNotContain(reading.Faults, fault => fault.Path == entry.Path);
            }
        }
    }

    [Fact]
    public void Numbers_have_bounds_and_numbered_settings_name_their_index()
    {
        Assert.Empty(SettingsDocument.Entries().Values.Where(
            entry => entry.Kind == SettingKind.Number && (entry.Least is null || entry.Most is null)).Select(entry => entry.Path));
        Assert.Equal("Server", SettingTexts.Of("usenet:providers:12:host").Title);
        Assert.Equal("", SettingTexts.Of("No:Such").Title);
    }

    [Fact]
    public async Task Docs_configuration_md_has_the_current_tables()
    {
        var path = Documentation();
        var text = await File.ReadAllTextAsync(path);
        Assert.True(SettingsDocument.Update(text) == text, $"docs/configuration.md is not current. Renew it: {SettingsDocument.Command}");
        Assert.Throws<InvalidDataException>(
            () => SettingsDocument.Update(text.Replace("<!-- settings: backups -->", "", StringComparison.Ordinal)));
    }

    private static string Documentation()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder!.FullName, "NzbDav.sln")))
            folder = folder.Parent;
        return Path.Combine(folder.FullName, "docs", "configuration.md");
    }
}
