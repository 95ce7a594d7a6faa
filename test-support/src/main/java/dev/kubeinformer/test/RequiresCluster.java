package dev.kubeinformer.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks tests that need a real cluster. They are tagged {@code cluster}, and skipped,
 * with the reason, unless a kubeconfig is given by the system property {@code kubeconfig}
 * or the environment variable {@code KUBECONFIG}. A parameter of type
 * {@link java.nio.file.Path} receives the file.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.TYPE, ElementType.METHOD })
@Tag("cluster")
@ExtendWith(ClusterCondition.class)
public @interface RequiresCluster {

	/**
	 * Additional system properties without which the tests are skipped, such as {@code cluster.restart}, for further requirements on the cluster.
	 * @return the names of the properties
	 */
	String[] properties() default {};

}
