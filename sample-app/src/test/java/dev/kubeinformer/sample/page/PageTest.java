package dev.kubeinformer.sample.page;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.test.context.SpringBootTest;

import dev.kubeinformer.fixtures.browser.RequiresBrowser;

/**
 * Marks tests of the page of one application, in which more happens than in the
 * demonstration, and which breaks for a shorter time. They share it.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@RequiresBrowser
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "sample.activity.delay=200ms", "sample.activity.period=500ms", "sample.cut-watches.time=5s",
				"sample.expire-version.time=3s", "sample.stop-api.time=12s", "sample.slow-handler.pause=700ms",
				"sample.slow-handler.time=12s", "sample.foreign-deployment.time=10s" })
@interface PageTest {

}
