/**
 * Tests of Spring applications on the embedded API: no cluster, no binaries, no Docker.
 * <p>
 * {@link dev.kubeinformer.spring.test.EmbeddedKubernetesTest @EmbeddedKubernetesTest} on
 * a test class, together with {@code @SpringBootTest} or {@code @SpringJUnitConfig},
 * starts an {@link dev.kubeinformer.test.EmbeddedKubernetes} for the application context
 * and makes every client of the context use it:
 *
 * <pre class="code">
 * &#064;SpringBootTest
 * &#064;EmbeddedKubernetesTest
 * class PodHandlerTests {
 *
 *     &#064;Test
 *     void podShouldBeCounted(&#064;Autowired EmbeddedKubernetes kubernetes, &#064;Autowired PodCounter counter) {
 *         kubernetes.resources(V1Pod.class).create(pod("web", "one"));
 *         await().until(() -&gt; counter.count() == 1);
 *     }
 *
 * }
 * </pre>
 *
 * The annotation is not named {@code @EmbeddedKubernetes}, because the class of the
 * server has that name.
 * <p>
 * Contexts are cached: classes with equal annotations share a context and its server.
 * Between two tests, all objects are deleted, and the test waits for every informer and
 * handler of the context.
 * <p>
 * In every other test with a Spring context, informers connect only to clusters that the
 * test has named, unless the property {@code kubernetes.client.allow-in-tests} is set.
 */
@NullMarked
package dev.kubeinformer.spring.test;

import org.jspecify.annotations.NullMarked;
