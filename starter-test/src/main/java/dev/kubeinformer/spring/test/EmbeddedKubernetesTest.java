package dev.kubeinformer.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Annotation for a test class whose application context works on an
 * {@link dev.kubeinformer.test.EmbeddedKubernetes} of its own. It goes beside
 * {@code @SpringBootTest}, {@code @SpringJUnitConfig} or whatever else makes the context.
 * <ul>
 * <li>The server is a bean, to be injected into tests and into whatever else needs it.
 * With JUnit, parameters of the types {@code EmbeddedKubernetes},
 * {@code ApiResources<V1Pod>} and {@code ApiClient} need no {@code @Autowired}.</li>
 * <li>Every client of the context uses it: {@code KubernetesConnectionDetails} and a
 * primary {@code ApiClient} are defined before auto-configuration, and {@code ApiClient}
 * beans of the application are pointed to it and are primary no more. Clients that are no
 * beans, such as {@code Config.defaultClient()} and those of other libraries, are not
 * known here and go where they always go; informers that are beans refuse them.</li>
 * <li>In a {@code @ContextHierarchy} all levels share the server of the uppermost one,
 * and the informers of all levels are waited for.</li>
 * <li>It is outside the lifecycle of the context, with the same port and objects while
 * the context is paused, stopped and started again, and is closed with the context.</li>
 * <li>A named cluster of the application has an embedded API only if {@link #clusters()}
 * names it. The client of one without is refused when it is asked for.</li>
 * <li>With {@code kubernetes.leader.enabled} the application becomes leader by itself,
 * soon after its start. {@code kubernetes.leader().revoke()} lets another replica lead,
 * {@code grant()} ends that. An application that leads at the end of a test goes on
 * leading; one that does not becomes leader in the next.</li>
 * <li>After each test method, what it left is removed: faults, all objects but
 * CustomResourceDefinitions, by deletes with growing resourceVersions, and the log of
 * requests. Every running informer and handler of the context is waited for, 5 seconds at
 * most; then the test fails and the failure names who lags behind. Objects that the
 * application creates at its start are there for the first test only.</li>
 * </ul>
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(EmbeddedKubernetesParameterResolver.class)
public @interface EmbeddedKubernetesTest {

	/**
	 * Period of bookmarks, such as "200ms" or "1m".
	 * @return the period; one minute by default, as in Kubernetes
	 */
	String bookmarkInterval() default "1m";

	/**
	 * Whether objects are deleted whose owners are gone, as the garbage collector of
	 * Kubernetes does.
	 * @return whether they are; by default they stay, because the embedded API has no
	 * controllers
	 */
	boolean garbageCollection() default false;

	/**
	 * Namespace of the application: what {@code @current} stands for, as in a pod of that
	 * namespace, in each of its clusters. It exists, and is not removed after a test.
	 * @return the namespace; "default" by default
	 */
	String namespace() default "default";

	/**
	 * Names of the application's clusters beside the default one. Each has an embedded
	 * API of its own with the settings given here, a bean with the name as qualifier:
	 * {@code @Qualifier("edge") EmbeddedKubernetes}, and so has
	 * {@code @Qualifier("edge") ApiResources<V1Pod>}. The application is connected to it
	 * whatever {@code kubernetes.clusters.edge} says, which need not be set.
	 * @return the names; none by default
	 */
	String[] clusters() default {};

}
