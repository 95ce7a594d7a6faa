package dev.kubeinformer.spring.console;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

import dev.kubeinformer.fixtures.browser.Browser;
import dev.kubeinformer.fixtures.browser.RequiresBrowser;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the console behind Spring Security: sign-in, CSRF tokens and rights.
 */
@RequiresBrowser
@Tag("slow")
class ConsoleSecurityBrowserTests {

	private static final String POD_HANDLER = "[data-id='podHandler'] ";

	private static EmbeddedKubernetes kubernetes;

	private static ConsoleApplication application;

	private Browser browser;

	@BeforeAll
	static void start() {
		kubernetes = EmbeddedKubernetes.start();
		Workload.fill(kubernetes);
		application = ConsoleApplication.runSecured(WebApplicationType.SERVLET,
				List.of(Workload.PodHandler.class, SecurityConfiguration.class, Users.class),
				"kubernetes.client.url=" + kubernetes.url(), ConsoleApplication.WRITABLE);
	}

	@AfterAll
	static void stop() {
		application.close();
		kubernetes.close();
	}

	@AfterEach
	void closeBrowser() {
		this.browser.close();
	}

	@Test
	void adminShouldActWithTheTokenOfTheCookie() {
		signIn("admin");
		this.browser.click(POD_HANDLER + "[data-action='PAUSE']");
		awaitDone("paused", "paused");
		assertThat(application.bean(InformerHandlerRegistry.class).get("podHandler").status().paused()).isTrue();
		this.browser.click(POD_HANDLER + "[data-action='RESUME']");
		awaitDone("resumed", "running");
		// without the cookie there is no token to send; the next read would bring it back
		this.browser.run(
				"document.cookie = 'XSRF-TOKEN=; path=/; max-age=0';"
						+ "document.querySelector(arguments[0]).click(); return true",
				POD_HANDLER + "[data-action='PAUSE']");
		await().untilAsserted(() -> assertThat(this.browser.text(POD_HANDLER + ".ic-result"))
			.isEqualTo("You may not do this (status 403)."));
		assertThat(application.bean(InformerHandlerRegistry.class).get("podHandler").status().paused()).isFalse();
	}

	/**
	 * Waits until an action is answered, too: a read may show its effect before, while
	 * the buttons are still busy.
	 */
	private void awaitDone(String result, String state) {
		await().untilAsserted(() -> {
			assertThat(this.browser.text(POD_HANDLER + ".ic-result")).startsWith("podHandler " + result);
			assertThat(this.browser.text(POD_HANDLER + ".ic-state")).isEqualTo(state);
		});
	}

	@Test
	void viewerShouldLookAndBeToldThatHeMayNotAct() {
		signIn("viewer");
		await()
			.untilAsserted(() -> assertThat(this.browser.text(POD_HANDLER + "[data-field='handled']")).isEqualTo("12"));
		this.browser.click(POD_HANDLER + "[data-action='PAUSE']");
		await().untilAsserted(() -> {
			assertThat(this.browser.text(POD_HANDLER + ".ic-result")).isEqualTo("You may not do this (status 403).");
			assertThat(this.browser.text(".ic-announce")).startsWith("podHandler: You may not do this");
		});
		assertThat(application.bean(InformerHandlerRegistry.class).get("podHandler").status().paused()).isFalse();
	}

	@Test
	void endOfTheSessionShouldBeShown() {
		signIn("viewer");
		this.browser.deleteCookies();
		await().untilAsserted(() -> {
			assertThat(this.browser.text(".ic-banner-text")).startsWith("You are not signed in, or no longer.");
			assertThat(this.browser.texts("[data-section='informers'] .ic-state")).containsExactly("was live");
			assertThat(this.browser.element(POD_HANDLER + ".ic-actions").isDisplayed()).isFalse();
		});
		assertThat(this.browser.violations()).isEmpty();
		this.browser.click(".ic-banner button");
		await().untilAsserted(
				() -> assertThat(this.browser.count("form.login-form, form input[name='password']")).isPositive());
	}

	private void signIn(String user) {
		this.browser = Browser.start();
		this.browser.open(application.url("/actuator/informersconsole"));
		this.browser.element("input[name='username']").sendKeys(user);
		this.browser.element("input[name='password']").sendKeys("secret");
		this.browser.click("button[type='submit']");
		await()
			.untilAsserted(() -> assertThat(this.browser.texts(POD_HANDLER + ".ic-state")).containsExactly("running"));
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(30));
	}

	@Configuration(proxyBeanMethods = false)
	static class Users {

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(Stream.of("admin", "viewer")
				.map((name) -> User.withUsername(name).password("{noop}secret").roles(name.toUpperCase()).build())
				.toList());
		}

	}

}
