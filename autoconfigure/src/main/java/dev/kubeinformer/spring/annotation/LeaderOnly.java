package dev.kubeinformer.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Restricts a method, or all non-private methods of a type, to the leader among the
 * replicas of an application. On a standby, a call of a {@code void} method, such as a
 * {@code @Scheduled} one, is skipped, and a call of any other method throws a
 * {@code NotLeaderException}. If the term of this replica ends while the method runs, its
 * thread is interrupted.
 * <p>
 * The bean is proxied, so calls from within the bean are not intercepted. The start fails
 * if a method with the annotation is private, static or final, or if an annotated type
 * declares a final method. It also fails if the annotation is on a handler, a reconciler,
 * or a method that receives events or reconciles, because the events that a standby skips
 * would be lost; use {@link InformerHandler#leaderOnly()} and
 * {@link Reconciler#leaderOnly()} instead.
 * <p>
 * On a type, the annotation applies neither to {@code @Bean} methods nor to methods that
 * the container calls to run or inspect the bean, such as {@code start()} and
 * {@code getOrder()}.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.TYPE, ElementType.METHOD })
public @interface LeaderOnly {

}
