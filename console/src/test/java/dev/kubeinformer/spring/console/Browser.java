package dev.kubeinformer.spring.console;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import java.util.stream.Stream;

import com.deque.html.axecore.selenium.AxeBuilder;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The installed Chromium without a window. Both programs are named, so that nothing is
 * looked for on the network.
 */
final class Browser implements AutoCloseable {

	static final String CHROMIUM = "chromium";

	static final String DRIVER = "chromedriver";

	private final ChromeDriver driver;

	private Browser(File chromium, File driver) {
		LoggingPreferences logs = new LoggingPreferences();
		logs.enable(LogType.BROWSER, Level.ALL);
		ChromeOptions options = new ChromeOptions();
		options.setBinary(chromium);
		options.setCapability("goog:loggingPrefs", logs);
		// root has no sandbox; containers have little shared memory
		options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
				"--hide-scrollbars");
		this.driver = new ChromeDriver(new ChromeDriverService.Builder().usingDriverExecutable(driver).build(),
				options);
		// a page with many elements is checked for as long as a busy machine takes
		this.driver.manage().timeouts().scriptTimeout(Duration.ofMinutes(2));
	}

	static boolean isInstalled() {
		return find(CHROMIUM) != null && find(DRIVER) != null;
	}

	static Browser start() {
		return new Browser(Objects.requireNonNull(find(CHROMIUM)), Objects.requireNonNull(find(DRIVER)));
	}

	private static @Nullable File find(String program) {
		return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
			.map((folder) -> new File(folder, program))
			.filter(File::canExecute)
			.findFirst()
			.orElse(null);
	}

	void open(String url) {
		this.driver.get(url);
	}

	/**
	 * The text of the first element, as one sees it.
	 */
	String text(String selector) {
		return element(selector).getText();
	}

	/**
	 * The texts of all elements at one moment, also of those that are scrolled away.
	 */
	List<String> texts(String selector) {
		return run("return [...document.querySelectorAll(arguments[0])].map((element) => element.textContent)",
				selector);
	}

	int count(String selector) {
		return texts(selector).size();
	}

	void click(String selector) {
		element(selector).click();
	}

	WebElement element(String selector) {
		return this.driver.findElement(By.cssSelector(selector));
	}

	@SuppressWarnings("unchecked")
	<T> T run(String script, Object... arguments) {
		return (T) Objects.requireNonNull(this.driver.executeScript(script, arguments));
	}

	void resize(int width, int height) {
		this.driver.executeCdpCommand("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
	}

	void prefer(String colorScheme) {
		this.driver.executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", colorScheme))));
	}

	void deleteCookies() {
		this.driver.manage().deleteAllCookies();
	}

	/**
	 * Presses keys where the focus is.
	 */
	void press(CharSequence... keys) {
		new Actions(this.driver).sendKeys(keys).perform();
	}

	/**
	 * Presses the key until an element has the focus, as who has no mouse does.
	 */
	void tabTo(String selector) {
		for (int i = 0; i < 200; i++) {
			press(Keys.TAB);
			if (this.<Boolean>run("return document.activeElement.matches(arguments[0])", selector)) {
				return;
			}
		}
		throw new IllegalStateException("'%s' is not reached by the tabulator".formatted(selector));
	}

	/**
	 * What axe-core finds that keeps somebody from using the page.
	 */
	List<String> violations() {
		// The other mode opens a window of its own to gather what frames say; there are
		// none.
		@SuppressWarnings("deprecation")
		AxeBuilder axe = new AxeBuilder().setLegacyMode(true);
		return axe.analyze(this.driver)
			.getViolations()
			.stream()
			.filter((rule) -> List.of("serious", "critical").contains(rule.getImpact()))
			.map((rule) -> "%s: %s at %s".formatted(rule.getId(), rule.getHelp(),
					rule.getNodes().stream().map((node) -> node.getTarget() + " " + node.getFailureSummary()).toList()))
			.toList();
	}

	/**
	 * Looks at the page, wide and narrow, light and dark.
	 * @param name the name of the pictures
	 */
	void assertUsable(String name) throws IOException {
		for (String theme : List.of("light", "dark")) {
			prefer(theme);
			for (int width : List.of(1280, 390)) {
				resize(width, 900);
				String picture = "%s-%s-%d".formatted(name, theme, width);
				assertThat(screenshot(picture)).isNotEmptyFile();
				assertThat(violations()).as(picture).isEmpty();
				assertThat(this.<Long>run("return document.documentElement.scrollWidth")).as(picture)
					.isLessThanOrEqualTo(width);
			}
		}
	}

	/**
	 * What the browser tells a screen reader: role and name of each thing that has both.
	 */
	@SuppressWarnings("unchecked")
	List<String> accessibilityTree() {
		List<Map<String, Object>> nodes = (List<Map<String, Object>>) this.driver
			.executeCdpCommand("Accessibility.getFullAXTree", Map.of())
			.get("nodes");
		return nodes.stream()
			.filter((node) -> !Boolean.TRUE.equals(node.get("ignored")))
			.map((node) -> value(node, "role") + " " + value(node, "name"))
			.toList();
	}

	@SuppressWarnings("unchecked")
	private static String value(Map<String, Object> node, String part) {
		Map<String, Object> value = (Map<String, Object>) node.getOrDefault(part, Map.of());
		return String.valueOf(value.getOrDefault("value", ""));
	}

	/**
	 * Writes a picture of the whole page.
	 */
	Path screenshot(String name) throws IOException {
		String png = (String) this.driver
			.executeCdpCommand("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true))
			.get("data");
		Path folder = Files.createDirectories(Path.of("target", "screenshots"));
		return Files.write(folder.resolve(name + ".png"), Base64.getDecoder().decode(png));
	}

	/**
	 * What the console has logged since the last call, of any level.
	 */
	List<String> console() {
		return this.driver.manage().logs().get(LogType.BROWSER).getAll().stream().map(LogEntry::toString).toList();
	}

	@Override
	public void close() {
		this.driver.quit();
	}

}
